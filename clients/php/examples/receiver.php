<?php

// Receives webhooks: WEBHOOK_SECRET=whsec_… php -S localhost:3000 receiver.php
// SEEN names the SQLite file with the ids of the received events; by default seen.db in the working directory.

use BeatMarket\Exception\SignatureVerificationException;

require 'vendor/autoload.php';

http_response_code(500); // If the program fails before the event is stored, the service delivers it again.
try {
    $event = (new BeatMarket\Webhooks())->unwrap(file_get_contents('php://input'), getallheaders(), getenv('WEBHOOK_SECRET'));
    $seen = new PDO('sqlite:' . (getenv('SEEN') ?: 'seen.db'));
    $seen->exec('create table if not exists seen (id text primary key)');
    $seen->beginTransaction();
    $insert = $seen->prepare('insert or ignore into seen values (?)');
    $insert->execute([$event->id]);
    if ($insert->rowCount() === 1) { // An event may be delivered twice, with the same id: act on it once.
        file_put_contents('php://stdout', "{$event->type} {$event->id}\n");
    }
    $seen->commit();
    http_response_code(204);
} catch (SignatureVerificationException $error) {
    http_response_code(401);
    echo $error->getMessage(), "\n";
}
