<?php

// Receives webhooks: WEBHOOK_SECRET=whsec_… php -S localhost:3000 receiver.php

use BeatMarket\Exception\{BeatMarketException, SignatureVerificationException};

require 'vendor/autoload.php';

try {
    $event = (new BeatMarket\Webhooks())->unwrap(file_get_contents('php://input'), $_SERVER, getenv('WEBHOOK_SECRET'));
    file_put_contents('php://stdout', "{$event->type} {$event->id}\n");
} catch (BeatMarketException $error) {
    http_response_code($error instanceof SignatureVerificationException ? 401 : 500);
    error_log($error->getMessage());
}
