<?php
// Receives webhooks with the library of Standard Webhooks: composer require standard-webhooks/standard-webhooks

require __DIR__ . '/vendor/autoload.php';

use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook;

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
