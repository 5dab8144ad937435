"""Receives webhooks: flask --app receiver run --port 3000."""

import os

from flask import Flask, request

from beatmarket import SignatureVerificationError, webhooks

app = Flask(__name__)


@app.post("/")
def receive() -> tuple[str, int]:
    try:
        event = webhooks.unwrap(request.get_data(), request.headers, os.environ["WEBHOOK_SECRET"])
    except SignatureVerificationError as error:
        return str(error), 401
    print(event.type, event.id, flush=True)
    return "", 200
