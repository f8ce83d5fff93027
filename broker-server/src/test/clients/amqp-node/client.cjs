// rhea, one command a line on standard input, one answer a line on standard output: see AmqpProcess.java.
'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const readline = require('node:readline');
const rhea = require('rhea');

const PATIENCE_MS = 10000;
const SETTLED = 1;

let connection = null;
let links = new Map();

/** Ends when the condition holds, which is looked at after each event. */
function until(emitters, condition, what) {
    return new Promise((resolve, reject) => {
        if (condition()) {
            resolve();
            return;
        }
        const look = () => {
            if (condition()) {
                end();
                resolve();
            }
        };
        const timer = setTimeout(() => {
            end();
            reject(new Error('no ' + what));
        }, PATIENCE_MS);
        const end = () => {
            clearTimeout(timer);
            emitters.forEach(([emitter, event]) => emitter.removeListener(event, look));
        };
        emitters.forEach(([emitter, event]) => emitter.on(event, look));
    });
}

function once(emitter, good, bad) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('no ' + good)), PATIENCE_MS);
        emitter.once(good, context => {
            clearTimeout(timer);
            resolve(context);
        });
        bad.forEach(event => emitter.once(event, context => {
            clearTimeout(timer);
            reject(new Error(event + ' ' + (context.error || context[emitter === connection ? 'connection' : 'sender'])));
        }));
    });
}

function bodyOf(given) {
    switch (given.kind) {
        case 'text':
            return given.value;
        case 'bytes':
            return rhea.message.data_section(Buffer.from(given.value, 'hex'));
        case 'large':
            return rhea.message.data_section(Buffer.from(Array.from({ length: Number(given.value) }, (x, i) => i % 251)));
        default:
            return { name: given.value, age: 36 };
    }
}

function described(body) {
    const bytes = body && body.typecode === 0x75 ? body.content : body;
    if (Buffer.isBuffer(bytes)) {
        return bytes.length > 1000
            ? { kind: 'large', value: bytes.length + ':' + crypto.createHash('sha256').update(bytes).digest('hex') }
            : { kind: 'bytes', value: bytes.toString('hex') };
    }
    if (body !== null && typeof body === 'object') {
        return { kind: 'map', value: Object.keys(body).sort().map(key => key + '=' + body[key]).join(';') };
    }
    return { kind: 'text', value: String(body) };
}

const commands = {
    async connect(given) {
        const options = {
            port: Number(given.port), host: 'localhost', container_id: given.container, reconnect: false, username: 'anonymous'
        };
        if (given.user) {
            options.username = given.user;
            options.password = given.password;
        }
        if (given.trust) {
            options.transport = 'tls';
            options.ca = [fs.readFileSync(given.trust)];
            options.servername = 'localhost';
        }
        const container = rhea.create_container();
        container.on('error', () => {});
        connection = container.connect(options);
        connection.on('error', () => {});
        await once(connection, 'connection_open', ['connection_error', 'disconnected']);
        return {};
    },

    async sender(given) {
        const sender = connection.open_sender({
            target: { address: given.address, capabilities: [given.type] },
            ...(given.settled === 'true' ? { snd_settle_mode: SETTLED } : {})
        });
        let refusal = null;
        sender.on('sender_error', () => { refusal = sender.error; });
        await once(sender, 'sender_open', ['sender_error', 'sender_close']);
        if (!sender.target || !sender.target.address) { // attached for as long as it takes to say why not
            await until([[sender, 'sender_error']], () => refusal !== null, 'reason');
            throw new Error(refusal.condition + ' ' + refusal.description);
        }
        links.set(given.id, { link: sender });
        return {};
    },

    async receiver(given) {
        const source = { address: given.address, capabilities: [given.type] };
        if (given.selector) {
            source.filter = rhea.filter.selector(given.selector);
        }
        if (given.durable === 'true') {
            source.durable = 2;
            source.expiry_policy = 'never';
        }
        const receiver = connection.open_receiver({
            source, credit_window: 0, autoaccept: false, autosettle: false, ...(given.name ? { name: given.name } : {}),
            ...(given.settled === 'true' ? { snd_settle_mode: SETTLED } : {})
        });
        if (given.unsettled) {
            receiver.local.attach.unsettled = rhea.types.wrap_map({ [given.unsettled]: null });
            receiver.local.attach.incomplete_unsettled = given.incomplete === 'true';
        }
        const held = { link: receiver, waiting: [], taken: null, ended: null };
        receiver.on('message', context => held.waiting.push(context));
        receiver.on('receiver_error', context => { held.ended = String(context.receiver.error); });
        links.set(given.id, held);
        await once(receiver, 'receiver_open', ['receiver_error', 'receiver_close']);
        return {};
    },

    async send(given) {
        const sender = links.get(given.id).link;
        await until([[sender, 'sendable']], () => sender.sendable(), 'credit');
        const message = { body: bodyOf(given), durable: true };
        if (given.colour) {
            message.application_properties = { colour: given.colour };
        }
        const delivery = sender.send(message);
        if (sender.local.attach.snd_settle_mode === SETTLED) {
            return { outcome: 'settled' };
        }
        const outcomes = ['accepted', 'rejected', 'released', 'modified'];
        let outcome = null;
        outcomes.forEach(name => sender.on(name, context => { if (context.delivery === delivery) outcome = name; }));
        await until(outcomes.map(name => [sender, name]), () => outcome !== null, 'outcome');
        return { outcome };
    },

    async credit(given) {
        links.get(given.id).link.add_credit(Number(given.count));
        return {};
    },

    async drain(given) {
        const held = links.get(given.id);
        held.link.add_credit(Number(given.count));
        const drained = once(held.link, 'receiver_drained', ['receiver_error']);
        held.link.drain_credit();
        await drained;
        return { count: held.waiting.length };
    },

    async held(given) {
        return { count: links.get(given.id).waiting.length };
    },

    async receive(given) {
        const held = links.get(given.id);
        await until([[held.link, 'message']], () => held.waiting.length > 0, 'message');
        const context = held.waiting.shift();
        held.taken = context.delivery;
        return {
            ...described(context.message.body),
            count: context.message.delivery_count || 0,
            settled: context.delivery.remote_settled
        };
    },

    async settle(given) {
        const delivery = links.get(given.id).taken;
        switch (given.outcome) {
            case 'accepted': delivery.accept(); break;
            case 'released': delivery.release(); break;
            case 'modified': delivery.modified({ delivery_failed: true, undeliverable_here: false }); break;
            default: delivery.reject();
        }
        return {};
    },

    async ended(given) {
        const held = links.get(given.id);
        await until([[held.link, 'receiver_error'], [held.link, 'receiver_close']], () => held.ended !== null, 'end');
        return { why: held.ended };
    },

    async detach(given) {
        const link = links.get(given.id).link;
        link.detach();
        links.delete(given.id);
        await until([[link, 'receiver_close'], [connection, 'frame']], () => link.is_remote_open() === false, 'detach');
        return {};
    },

    async close(given) {
        const link = links.get(given.id).link;
        const closed = once(link, link.is_receiver() ? 'receiver_close' : 'sender_close', []);
        link.close();
        links.delete(given.id);
        await closed;
        return {};
    },

    async disconnect() {
        if (connection !== null && connection.is_open()) {
            const closed = once(connection, 'connection_close', []);
            connection.close();
            await closed;
        }
        connection = null;
        links = new Map();
        return {};
    }
};

function encoded(value) {
    return encodeURIComponent(String(value));
}

let last = Promise.resolve();
readline.createInterface({ input: process.stdin }).on('line', line => {
    last = last.then(async () => {
        const [command, ...words] = line.split(' ');
        const given = {};
        words.forEach(word => {
            const equals = word.indexOf('=');
            given[word.slice(0, equals)] = decodeURIComponent(word.slice(equals + 1).replace(/\+/g, ' '));
        });
        try {
            const answer = await commands[command](given);
            process.stdout.write('ok' + Object.entries(answer).map(([k, v]) => ' ' + k + '=' + encoded(v)).join('') + '\n');
        } catch (problem) {
            process.stdout.write('error ' + encoded(problem.message) + '\n');
        }
    });
}).on('close', () => process.exit(0));
