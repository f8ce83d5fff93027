const rhea = require('rhea');

const url = new URL(process.argv[2] || 'amqp://localhost:1883');
const connection = rhea.connect({ host: url.hostname, port: url.port, username: 'anonymous' });

// A queue keeps the message until a receiver takes it.
connection.open_sender('queue://orders').once('sendable', context => context.sender.send({ body: 'one book' }));
connection.open_receiver('queue://orders').once('message', context => {
    console.log('queue:', context.message.body);

    // A topic passes the message to those who subscribe before it comes.
    const subscriber = connection.open_receiver('topic://news/sport');
    subscriber.once('receiver_open', () => {
        connection.open_sender('topic://news/sport').once('sendable', topic => topic.sender.send({ body: '1:0' }));
    });
    subscriber.once('message', topic => {
        console.log('topic:', topic.message.body);

        // A name that nothing is known of is refused.
        connection.open_sender('nowhere').once('sender_error', refusal => {
            console.log('refused:', refusal.sender.error.condition);
            connection.close();
        });
    });
});
