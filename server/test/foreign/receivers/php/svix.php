<?php
// Receives webhooks with the library of Svix: composer require svix/svix

require __DIR__ . '/vendor/autoload.php';

use Svix\Exception\WebhookVerificationException;
use Svix\Webhook;

$webhook = new Webhook(getenv('WEBHOOK_SECRET'));
$body = file_get_contents('php://input');
try {
    $webhook->verify($body, array_change_key_case(getallheaders()));
} catch (WebhookVerificationException $e) {
    http_response_code(401);
    return;
}
http_response_code(204);
file_put_contents('php://stdout', json_decode($body)->type . "\n");
