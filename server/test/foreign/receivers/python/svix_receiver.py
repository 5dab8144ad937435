"""Receives webhooks with the library of Svix: pip install svix"""

import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from svix.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            webhook.verify(body, dict(self.headers))
        except WebhookVerificationError:
            self.send_response(401)
        else:
            self.send_response(204)
            print(json.loads(body)["type"], flush=True)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
