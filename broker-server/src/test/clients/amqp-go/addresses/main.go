package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/Azure/go-amqp"
)

func main() {
	url := "amqp://localhost:1883"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	connection, err := amqp.Dial(ctx, url, &amqp.ConnOptions{SASLType: amqp.SASLTypeAnonymous()})
	check(err)
	defer connection.Close()
	session, err := connection.NewSession(ctx, nil)
	check(err)

	// A queue keeps the message until a receiver takes it.
	send(ctx, session, "queue://orders", "one book")
	receiver, err := session.NewReceiver(ctx, "queue://orders", nil)
	check(err)
	fmt.Println("queue:", receive(ctx, receiver))

	// A topic passes the message to those who subscribe before it comes.
	subscriber, err := session.NewReceiver(ctx, "topic://news/sport", nil)
	check(err)
	send(ctx, session, "topic://news/sport", "1:0")
	fmt.Println("topic:", receive(ctx, subscriber))

	// A name that nothing is known of is refused.
	_, err = session.NewSender(ctx, "nowhere", nil)
	var refusal *amqp.Error
	if errors.As(err, &refusal) {
		fmt.Println("refused:", refusal.Condition)
	}
}

func send(ctx context.Context, session *amqp.Session, address, text string) {
	sender, err := session.NewSender(ctx, address, nil)
	check(err)
	check(sender.Send(ctx, &amqp.Message{Value: text}, nil))
}

func receive(ctx context.Context, receiver *amqp.Receiver) any {
	message, err := receiver.Receive(ctx, nil)
	check(err)
	check(receiver.AcceptMessage(ctx, message))
	return message.Value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
