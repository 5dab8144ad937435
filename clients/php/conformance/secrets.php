<?php

declare(strict_types=1);

// Records the outputs of the client that could contain its secrets.

namespace BeatMarket\Conformance;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\SignatureVerificationException;

/**
 * @param array<string, mixed> $settings
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function secrets(#[\SensitiveParameter] array $settings, #[\SensitiveParameter] array $args): array
{
    // Stack traces show arguments, as on a developer's machine. The driver marks its own arguments as sensitive, since the client cannot hide them.
    ini_set('zend.exception_ignore_args', '0');
    $log = '';
    $client = client($settings, ['logger' => static function (string $level, string $message, array $context) use (&$log): void {
        $log .= "{$level}: {$message} " . json_encode($context, JSON_UNESCAPED_SLASHES) . "\n";
    }]);
    $objects = [$client, $client->beats, $client->users, $client->producers, $client->genres, $client->orders, $client->sales, $client->uploads, $client->webhooks];
    $errors = [];
    foreach ($args['calls'] as ['operation' => $operation, 'arguments' => $arguments]) {
        try {
            $objects[] = call($client, $operation, $arguments);
        } catch (BeatMarketException $error) {
            $errors[] = $error;
        }
    }
    try {
        $client->webhooks->verify('{}', '0', $args['secret']);
    } catch (SignatureVerificationException $error) {
        $errors[] = $error;
    }
    $texts = static fn (object $object): array => [
        print_r($object, true),
        dump($object),
        var_export($object, true),
        print_r((array) $object, true),
        (string) json_encode($object, JSON_PARTIAL_OUTPUT_ON_ERROR),
    ];

    return [
        'log' => $log,
        'inspected' => array_merge(...array_map($texts, $objects)),
        'errors' => array_merge(...array_map(static fn (\Throwable $error): array => [
            (string) $error,
            print_r($error, true),
            dump($error),
        ], $errors)),
    ];
}

function dump(object $object): string
{
    ob_start();
    var_dump($object);

    return (string) ob_get_clean();
}
