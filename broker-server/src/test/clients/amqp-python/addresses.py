import sys

from proton import Message
from proton.utils import BlockingConnection, LinkDetached

url = sys.argv[1] if len(sys.argv) > 1 else "amqp://localhost:1883"
connection = BlockingConnection(url, timeout=10)

# A queue keeps the message until a receiver takes it.
connection.create_sender("queue://orders").send(Message(body="one book"))
receiver = connection.create_receiver("queue://orders")
print("queue:", receiver.receive(timeout=10).body)
receiver.accept()

# A topic passes the message to those who subscribe before it comes.
subscriber = connection.create_receiver("topic://news/sport")
connection.create_sender("topic://news/sport").send(Message(body="1:0"))
print("topic:", subscriber.receive(timeout=10).body)
subscriber.accept()

# A name that nothing is known of is refused.
try:
    connection.create_sender("nowhere")
except LinkDetached as refusal:
    print("refused:", refusal.condition)

connection.close()
