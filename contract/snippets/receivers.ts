/** A program that receives webhooks with a client library, and the name of its file, which says how it is run. */
export interface Receiver {
  file: string;
  source: string;
}

/** The receivers of clients/<language>/examples, which the tests of each client run. */
export const receivers: Readonly<Record<"javascript" | "python" | "php" | "ruby", Receiver>> = {
  javascript: {
    file: "receiver.mjs",
    source: `// Receives webhooks, each event once: WEBHOOK_SECRET=whsec_… node receiver.mjs
import { DatabaseSync } from "node:sqlite";
import { SignatureVerificationError, webhooks } from "beatmarket";
import Fastify from "fastify";

const { WEBHOOK_SECRET, PORT = "3000", DATABASE = "events.db" } = process.env;
const db = new DatabaseSync(DATABASE);
db.exec("create table if not exists events (id text primary key, event text not null)");
const keep = db.prepare("insert or ignore into events values (?, ?)");

const app = Fastify();
app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body)); // raw
app.post("/", async (request, reply) => {
  const event = await webhooks.unwrap(request.body, request.headers, WEBHOOK_SECRET);
  const { changes } = keep.run(event.id, JSON.stringify(event));
  if (changes === 1) console.log(event.type, event.id); // else it was delivered before
  return reply.send();
});
app.setErrorHandler((error, _request, reply) => {
  console.error(error.message);
  return reply.code(error instanceof SignatureVerificationError ? 401 : 500).send();
});
console.log("listening at", await app.listen({ port: Number(PORT) }));
`,
  },
  python: {
    file: "receiver.py",
    source: `"""Receives webhooks: flask --app receiver run --port 3000."""

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
    with sqlite3.connect(FILE) as db:  # What the event brings about belongs into the same transaction.
        db.execute("create table if not exists events (id text primary key)")
        if db.execute("insert or ignore into events values (?)", (event.id,)).rowcount == 1:
            print(event.type, event.id, flush=True)
    return "", 200
`,
  },
  php: {
    file: "receiver.php",
    source: `<?php

// Receives webhooks: WEBHOOK_SECRET=whsec_… php -S localhost:3000 receiver.php
// SEEN names the SQLite file of the events that came; by default seen.db in the folder where it runs.

use BeatMarket\\Exception\\SignatureVerificationException;

require 'vendor/autoload.php';

http_response_code(500); // Until the event is stored: the service delivers again what fails before.
try {
    $event = (new BeatMarket\\Webhooks())->unwrap(file_get_contents('php://input'), getallheaders(), getenv('WEBHOOK_SECRET'));
    $seen = new PDO('sqlite:' . (getenv('SEEN') ?: 'seen.db'));
    $seen->exec('create table if not exists seen (id text primary key)');
    $seen->beginTransaction();
    $insert = $seen->prepare('insert or ignore into seen values (?)');
    $insert->execute([$event->id]);
    if ($insert->rowCount() === 1) { // An event may be delivered twice, with the same id: act on it once.
        file_put_contents('php://stdout', "{$event->type} {$event->id}\\n");
    }
    $seen->commit();
    http_response_code(204);
} catch (SignatureVerificationException $error) {
    http_response_code(401);
    echo $error->getMessage(), "\\n";
}
`,
  },
  ruby: {
    file: "receiver.ru",
    source: `# frozen_string_literal: true

# A webhook receiver for any Rack server: WEBHOOK_SECRET=whsec_… rackup -p 3000 receiver.ru
require "beatmarket"
$stdout.sync = true
seen = Set.new # In production, a unique column of your database: a delivery can arrive more than once.

run(lambda do |env|
  event = BeatMarket::Webhooks.unwrap(env["rack.input"].read, env, ENV.fetch("WEBHOOK_SECRET"))
  puts "#{event.type} #{event.id}" if seen.add?(event.id) # enqueue it, and respond at once
  [200, {}, []]
rescue BeatMarket::SignatureVerificationError
  [401, {}, []]
end)
`,
  },
};
