"""Receives webhooks: flask --app receiver run --port 3000."""

import os
import sqlite3

from flask import Flask, request

from beatmarket import SignatureVerificationError, webhooks

app = Flask(__name__)
FILE = os.environ.get("EVENTS_FILE", "events.db")


@app.post("/")
def receive() -> tuple[str, int]:
    try:
        event = webhooks.unwrap(request.get_data(), request.headers, os.environ["WEBHOOK_SECRET"])
    except SignatureVerificationError as error:
        return str(error), 401
    with sqlite3.connect(FILE) as db:  # Store what your program does with the event in this transaction, too.
        db.execute("create table if not exists events (id text primary key)")
        if db.execute("insert or ignore into events values (?)", (event.id,)).rowcount == 1:
            print(event.type, event.id, flush=True)
    return "", 200
