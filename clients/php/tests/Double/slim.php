<?php

declare(strict_types=1);

// A receiver in Slim, from PHP's include path (Debian's package). Run by php -S.

use BeatMarket\Exception\SignatureVerificationException;
use BeatMarket\Webhooks;
use Slim\Http\Request;
use Slim\Http\Response;

error_reporting(E_ALL & ~E_DEPRECATED); // Slim 3 is older than PHP 8.2.
require (string) getenv('BEATMARKET_AUTOLOAD');
require 'Slim/autoload.php';

$app = new Slim\App();
$app->post('/', function (Request $request, Response $response): Response {
    try {
        $event = (new Webhooks())->unwrap((string) $request->getBody(), $request->getHeaders(), getenv('WEBHOOK_SECRET'));
    } catch (SignatureVerificationException $error) {
        return $response->withStatus(401)->write($error->getMessage());
    }
    file_put_contents('php://stdout', "{$event->type} {$event->id}\n");

    return $response->withStatus(204);
});
$app->run();
