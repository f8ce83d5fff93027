// go-amqp, one command a line on standard input, one answer a line on standard output: see AmqpProcess.java.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/go-amqp"
)

const patience = 10 * time.Second

type words map[string]string

type client struct {
	connection *amqp.Conn
	session    *amqp.Session
	senders    map[string]*amqp.Sender
	settled    map[string]bool
	receivers  map[string]*amqp.Receiver
	waiting    map[string][]*amqp.Message
	taken      map[string]*amqp.Message
}

func fresh() *client {
	return &client{
		senders:   map[string]*amqp.Sender{},
		settled:   map[string]bool{},
		receivers: map[string]*amqp.Receiver{},
		waiting:   map[string][]*amqp.Message{},
		taken:     map[string]*amqp.Message{},
	}
}

func (c *client) do(ctx context.Context, command string, given words) (words, error) {
	switch command {
	case "connect":
		return c.connect(ctx, given)
	case "sender":
		return c.sender(ctx, given)
	case "receiver":
		return c.receiver(ctx, given)
	case "send":
		return c.send(ctx, given)
	case "credit":
		count, _ := strconv.Atoi(given["count"])
		return words{}, c.receivers[given["id"]].IssueCredit(uint32(count))
	case "drain":
		return c.drain(ctx, given)
	case "held":
		c.take(given["id"])
		return words{"count": strconv.Itoa(len(c.waiting[given["id"]]))}, nil
	case "receive":
		return c.receive(ctx, given)
	case "settle":
		return words{}, c.settle(ctx, given)
	case "close":
		return words{}, c.close(ctx, given["id"])
	case "disconnect":
		if c.connection != nil {
			c.connection.Close()
		}
		*c = *fresh()
		return words{}, nil
	}
	return nil, fmt.Errorf("there is no command %s", command)
}

func (c *client) connect(ctx context.Context, given words) (words, error) {
	options := &amqp.ConnOptions{ContainerID: given["container"], SASLType: amqp.SASLTypeAnonymous()}
	if user, named := given["user"]; named {
		options.SASLType = amqp.SASLTypePlain(user, given["password"])
	}
	scheme := "amqp"
	if file, trusts := given["trust"]; trusts {
		scheme = "amqps"
		pem, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(pem)
		options.TLSConfig = &tls.Config{RootCAs: roots, ServerName: "localhost"}
	}
	connection, err := amqp.Dial(ctx, scheme+"://localhost:"+given["port"], options)
	if err != nil {
		return nil, err
	}
	c.connection = connection
	c.session, err = connection.NewSession(ctx, nil)
	return words{}, err
}

func (c *client) sender(ctx context.Context, given words) (words, error) {
	options := &amqp.SenderOptions{TargetCapabilities: []string{given["type"]}}
	if given["settled"] == "true" {
		options.SettlementMode = amqp.SenderSettleModeSettled.Ptr()
		c.settled[given["id"]] = true
	}
	sender, err := c.session.NewSender(ctx, given["address"], options)
	c.senders[given["id"]] = sender
	return words{}, err
}

func (c *client) receiver(ctx context.Context, given words) (words, error) {
	options := &amqp.ReceiverOptions{Credit: -1, Name: given["name"], SourceCapabilities: []string{given["type"]}}
	if given["settled"] == "true" {
		options.RequestedSenderSettleMode = amqp.SenderSettleModeSettled.Ptr()
	}
	if selector, selects := given["selector"]; selects {
		options.Filters = []amqp.LinkFilter{amqp.NewSelectorFilter(selector)}
	}
	if given["durable"] == "true" {
		options.SourceDurability = amqp.DurabilityUnsettledState
		options.SourceExpiryPolicy = amqp.ExpiryPolicyNever
	}
	receiver, err := c.session.NewReceiver(ctx, given["address"], options)
	c.receivers[given["id"]] = receiver
	return words{}, err
}

func (c *client) send(ctx context.Context, given words) (words, error) {
	message := &amqp.Message{Header: &amqp.MessageHeader{Durable: true}}
	switch given["kind"] {
	case "text":
		message.Value = given["value"]
	case "bytes":
		bytes, err := hex.DecodeString(given["value"])
		if err != nil {
			return nil, err
		}
		message.Data = [][]byte{bytes}
	case "large":
		size, _ := strconv.Atoi(given["value"])
		bytes := make([]byte, size)
		for i := range bytes {
			bytes[i] = byte(i % 251)
		}
		message.Data = [][]byte{bytes}
	default:
		message.Value = map[string]any{"name": given["value"], "age": int32(36)}
	}
	if colour, coloured := given["colour"]; coloured {
		message.ApplicationProperties = map[string]any{"colour": colour}
	}
	if err := c.senders[given["id"]].Send(ctx, message, nil); err != nil {
		return nil, err
	}
	if c.settled[given["id"]] {
		return words{"outcome": "settled"}, nil
	}
	return words{"outcome": "accepted"}, nil
}

func (c *client) drain(ctx context.Context, given words) (words, error) {
	receiver := c.receivers[given["id"]]
	count, _ := strconv.Atoi(given["count"])
	if err := receiver.IssueCredit(uint32(count)); err != nil {
		return nil, err
	}
	// The library takes credit back and does not ask for what is there: so that comes first.
	expected, _ := strconv.Atoi(given["expect"])
	for len(c.waiting[given["id"]]) < expected {
		message, err := receiver.Receive(ctx, nil)
		if err != nil {
			return nil, err
		}
		c.waiting[given["id"]] = append(c.waiting[given["id"]], message)
	}
	if err := receiver.DrainCredit(ctx, nil); err != nil {
		return nil, err
	}
	c.take(given["id"])
	return words{"count": strconv.Itoa(len(c.waiting[given["id"]]))}, nil
}

// take moves what the library holds to where it can be counted.
func (c *client) take(id string) {
	for message := c.receivers[id].Prefetched(); message != nil; message = c.receivers[id].Prefetched() {
		c.waiting[id] = append(c.waiting[id], message)
	}
}

func (c *client) receive(ctx context.Context, given words) (words, error) {
	id := given["id"]
	c.take(id)
	if len(c.waiting[id]) == 0 {
		message, err := c.receivers[id].Receive(ctx, nil)
		if err != nil {
			return nil, err
		}
		c.waiting[id] = append(c.waiting[id], message)
	}
	message := c.waiting[id][0]
	c.waiting[id] = c.waiting[id][1:]
	c.taken[id] = message
	kind, value := described(message)
	count := uint32(0)
	if message.Header != nil {
		count = message.Header.DeliveryCount
	}
	return words{"kind": kind, "value": value, "count": strconv.Itoa(int(count))}, nil
}

func described(message *amqp.Message) (string, string) {
	if message.Data != nil {
		bytes := message.GetData()
		if len(bytes) > 1000 {
			digest := sha256.Sum256(bytes)
			return "large", strconv.Itoa(len(bytes)) + ":" + hex.EncodeToString(digest[:])
		}
		return "bytes", hex.EncodeToString(bytes)
	}
	if entries, isMap := message.Value.(map[string]any); isMap {
		parts := []string{}
		for key, value := range entries {
			parts = append(parts, fmt.Sprintf("%s=%v", key, value))
		}
		sort.Strings(parts)
		return "map", strings.Join(parts, ";")
	}
	return "text", fmt.Sprint(message.Value)
}

func (c *client) settle(ctx context.Context, given words) error {
	receiver, message := c.receivers[given["id"]], c.taken[given["id"]]
	switch given["outcome"] {
	case "accepted":
		return receiver.AcceptMessage(ctx, message)
	case "released":
		return receiver.ReleaseMessage(ctx, message)
	case "modified":
		return receiver.ModifyMessage(ctx, message, &amqp.ModifyMessageOptions{DeliveryFailed: true})
	default:
		return receiver.RejectMessage(ctx, message, nil)
	}
}

func (c *client) close(ctx context.Context, id string) error {
	if receiver, receives := c.receivers[id]; receives {
		return receiver.Close(ctx)
	}
	return c.senders[id].Close(ctx)
}

func main() {
	c := fresh()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), " ")
		given := words{}
		for _, part := range parts[1:] {
			key, value, _ := strings.Cut(part, "=")
			given[key], _ = url.QueryUnescape(value)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		answer, err := c.do(ctx, parts[0], given)
		cancel()
		if err != nil {
			fmt.Println("error " + url.QueryEscape(err.Error()))
			continue
		}
		text := "ok"
		for key, value := range answer {
			text += " " + key + "=" + url.QueryEscape(value)
		}
		fmt.Println(text)
	}
}
