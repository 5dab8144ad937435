<?php

declare(strict_types=1);

namespace BeatMarket\Conformance;

use BeatMarket\BeatExport;
use BeatMarket\Client;
use BeatMarket\Collection;
use BeatMarket\DownloadedFile;
use BeatMarket\DownloadProgress;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\SignatureVerificationException;
use BeatMarket\Exception\UploadRejectedException;
use BeatMarket\Model;
use BeatMarket\Page;
use BeatMarket\Page\SearchPage;
use BeatMarket\RateLimit;
use BeatMarket\Response;
use BeatMarket\SalesExport;
use BeatMarket\UploadProgress;
use BeatMarket\Webhooks;

final class Unsupported extends \Exception
{
}

/** The client method of each operation. */
const METHODS = [
    'listBeats' => ['beats', 'list'],
    'getBeat' => ['beats', 'get'],
    'listSimilarBeats' => ['beats', 'similar'],
    'createBeat' => ['beats', 'create'],
    'updateBeat' => ['beats', 'update'],
    'withdrawBeat' => ['beats', 'withdraw'],
    'getUser' => ['users', 'get'],
    'updateProfile' => ['users', 'updateProfile'],
    'listOwnBeats' => ['users', 'myBeats'],
    'listUploads' => ['uploads', 'list'],
    'getUpload' => ['uploads', 'get'],
    'retryUpload' => ['uploads', 'retry'],
    'deleteUpload' => ['uploads', 'delete'],
    'listProducers' => ['producers', 'list'],
    'listGenres' => ['genres', 'list'],
    'search' => [null, 'search'],
    'listOrders' => ['orders', 'list'],
    'getOrder' => ['orders', 'get'],
    'createOrder' => ['orders', 'create'],
    'listOrderFiles' => ['orders', 'files'],
    'listSales' => ['sales', 'list'],
    'exportSales' => ['sales', 'export'],
    'listChanges' => ['changes', 'list'],
    'exportBeats' => ['exports', 'beats'],
    'listEvents' => ['events', 'list'],
    'getEvent' => ['events', 'get'],
];

/**
 * @param array<string, mixed> $settings of the client
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function act(string $action, #[\SensitiveParameter] array $settings, #[\SensitiveParameter] array $args): array
{
    return match ($action) {
        'call' => attempt(function () use ($settings, $args): array {
            $client = client($settings);
            $options = array_filter([
                'timeout' => $args['options']['timeout_seconds'] ?? null,
                'maxRetries' => $args['options']['max_retries'] ?? null,
            ], static fn (mixed $option): bool => $option !== null);
            $result = call($options === [] ? $client : $client->with(...$options), $args['operation'], $args['arguments']);
            if ($result === null) {
                return ['value' => null, 'meta' => null];
            }
            $read = [];
            foreach ($args['read'] ?? [] as $path) {
                $read[$path] = reach($result, $path);
            }

            return ['value' => value($result), 'meta' => meta(responseOf($result)), 'read' => (object) $read];
        }),
        'request' => attempt(function () use ($settings, $args): array {
            $response = client($settings)->request(
                $args['method'],
                $args['path'],
                $args['query'] ?? [],
                $args['body'] ?? null,
                $args['headers'] ?? [],
            );

            return ['value' => $response->body, 'meta' => meta($response)];
        }),
        'iterate' => iterate(client($settings), $args),
        'pages' => pages(client($settings), $args),
        'follow' => follow(client($settings), $args),
        'stream_export' => streamExport(client($settings)),
        'fork' => fork(client($settings), $args),
        'parallel' => ['values' => parallel(client($settings), $args)],
        'secrets' => secrets($settings, $args),
        'verify' => ['verdict' => verdict($args)],
        'unwrap' => attempt(fn (): array => ['value' => (new Webhooks())
            ->unwrap(base64_decode($args['body_base64'], true), $args['headers'], $args['secrets'], ...tolerance($args))->toArray()]),
        'upload' => upload(client($settings), $args),
        'download' => downloading(fn (\Closure $note): array => (array) client($settings)->orders
            ->download($args['order_id'], $args['kind'], $args['path'], $note)),
        'download_all' => downloading(fn (\Closure $note): array => array_map(
            static fn (DownloadedFile $file): array => (array) $file,
            client($settings)->orders->downloadAll($args['order_id'], $args['folder'], $note),
        )),
        'wait' => attempt(fn (): array => ['value' => client($settings)->uploads
            ->wait($args['upload_id'], ...isset($args['timeout_seconds']) ? ['timeout' => $args['timeout_seconds']] : [])->toArray()]),
        'describe' => describe(),
        default => throw new Unsupported("action {$action}"),
    };
}

/** @param array<string, mixed> $settings */
function client(#[\SensitiveParameter] array $settings, ?\Closure $logger = null): Client
{
    $given = array_filter([
        'apiKey' => $settings['api_key'] ?? null,
        'baseUrl' => $settings['base_url'] ?? null,
        'caFile' => $settings['ca_file'] ?? null,
        'timeout' => $settings['timeout_seconds'] ?? null,
        'maxRetries' => $settings['max_retries'] ?? null,
        'maxRetryAfter' => $settings['max_retry_after_seconds'] ?? null,
        'logger' => $logger,
    ], static fn (mixed $setting): bool => $setting !== null);

    return new Client(...$given);
}

/** @param array<string, mixed> $arguments by their wire names */
function call(Client $client, string $operation, array $arguments): ?object
{
    [$resource, $method] = METHODS[$operation] ?? throw new Unsupported("operation {$operation}");
    $named = [];
    foreach ($arguments as $name => $argument) {
        $named[camelCase($name)] = $argument;
    }

    return ($resource === null ? $client : $client->$resource)->$method(...$named);
}

/**
 * @param \Closure(): array<string, mixed> $run
 *
 * @return array<string, mixed>
 */
function attempt(#[\SensitiveParameter] \Closure $run): array
{
    try {
        return $run();
    } catch (Unsupported $unsupported) {
        throw $unsupported;
    } catch (\Throwable $error) {
        return ['error' => error($error)];
    }
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function upload(Client $client, array $args): array
{
    $progress = [];
    $options = ['progress' => static function (UploadProgress $its) use (&$progress): void {
        $progress[] = ['upload_id' => $its->uploadId, 'sent' => $its->sent, 'bytes' => $its->bytes];
    }];
    if (isset($args['part_bytes'])) {
        $options['partBytes'] = $args['part_bytes'];
    }
    $result = attempt(static fn (): array => ['value' => (isset($args['upload_id'])
        ? $client->uploads->resume($args['upload_id'], $args['path'], ...$options)
        : $client->uploads->upload($args['path'], $args['kind'], ...$options))->toArray()]);

    return $result + ['progress' => $progress];
}

/**
 * @param \Closure(\Closure): array<array-key, mixed> $run takes the callback
 *
 * @return array<string, mixed>
 */
function downloading(\Closure $run): array
{
    $progress = [];
    $note = static function (DownloadProgress $its) use (&$progress): void {
        $progress[] = (array) $its;
    };

    return attempt(static fn (): array => ['value' => $run($note)]) + ['progress' => &$progress];
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function iterate(Client $client, array $args): array
{
    $items = [];
    $errors = [];
    $iterator = null;
    while (count($errors) < 3) {
        try {
            $limits = isset($args['max_items']) ? ['max_items' => $args['max_items']] : [];
            $iterator ??= new \NoRewindIterator(call($client, $args['operation'], $args['arguments'] + $limits)->getIterator());
            foreach ($iterator as $item) {
                $items[] = id($item);
            }
            break;
        } catch (BeatMarketException $error) {
            $errors[] = error($error);
            if (!($args['resume'] ?? false) || $iterator === null) {
                break;
            }
        }
    }

    return ['items' => $items, 'errors' => $errors];
}

/** What stands for an item of a list. */
function id(mixed $item): mixed
{
    return $item instanceof Model ? $item->id : $item;
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function pages(Client $client, array $args): array
{
    $pages = [];
    try {
        $page = call($client, $args['operation'], $args['arguments']);
        while (true) {
            $pages[] = array_map(id(...), $page->data);
            if (count($pages) === $args['pages']) {
                return ['pages' => $pages, 'has_next' => true];
            }
            $page = $page->nextPage();
            if ($page === null) {
                return ['pages' => $pages, 'has_next' => false];
            }
        }
    } catch (BeatMarketException $error) {
        return ['pages' => $pages, 'has_next' => true, 'error' => error($error)];
    }
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function follow(Client $client, array $args): array
{
    $named = [];
    foreach ($args['arguments'] as $name => $argument) {
        $named[camelCase($name)] = $argument;
    }
    $isChanges = $args['operation'] === 'listChanges';
    $pages = [];
    try {
        foreach ($isChanges ? $client->changes->follow(...$named) : $client->events->follow(...$named) as $page) {
            $items = $isChanges
                ? ['positions' => array_column($page->changes, 'position')]
                : ['ids' => array_column($page->events, 'id')];
            $pages[] = $items + ['next' => $page->next];
            if (count($pages) === $args['pages']) {
                break;
            }
        }
    } catch (BeatMarketException $error) {
        return ['pages' => $pages, 'errors' => [error($error)]];
    }

    return ['pages' => $pages, 'errors' => []];
}

/** @return array<string, mixed> */
function streamExport(Client $client): array
{
    $ids = [];
    $position = null;
    try {
        $export = $client->exports->beats();
        $position = $export->position;
        foreach ($export as $beat) {
            $ids[] = $beat->id;
        }
    } catch (BeatMarketException $error) {
        return ['ids' => $ids, 'position' => $position, 'error' => error($error)];
    }

    return ['ids' => $ids, 'position' => $position];
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function fork(Client $client, array $args): array
{
    $id = calling($client, $args['operation']);
    $first = $id($args['arguments'][0]);
    $calls = array_map(static fn (array $its): array => array_fill(0, $args['calls'], $its), $args['arguments']);

    return ['values' => inChildren($id, $calls), 'parent' => [$first, $id($args['arguments'][0])]];
}

/**
 * Forks a process per worker after the client's first call.
 *
 * @param array<string, mixed> $args
 *
 * @return list<list<mixed>>
 */
function parallel(Client $client, array $args): array
{
    $id = calling($client, $args['operation']);
    $id($args['calls'][0][0]);

    return inChildren($id, $args['calls']);
}

/** @return \Closure(array<string, mixed>): mixed the id of what a call returns, or its error */
function calling(Client $client, string $operation): \Closure
{
    return static function (array $arguments) use ($client, $operation): mixed {
        try {
            return call($client, $operation, $arguments)->id;
        } catch (BeatMarketException $error) {
            return ['error' => error($error)];
        }
    };
}

/**
 * The ids of the calls of each child, which all run at once.
 *
 * @param list<list<array<string, mixed>>> $all
 *
 * @return list<list<mixed>>
 */
function inChildren(\Closure $id, array $all): array
{
    $children = [];
    foreach ($all as $calls) {
        $pipe = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, STREAM_IPPROTO_IP);
        $processId = $pipe === false ? -1 : pcntl_fork();
        if ($pipe === false || $processId === -1) {
            throw new Unsupported('processes');
        }
        if ($processId === 0) {
            fwrite($pipe[1], json_encode(array_map($id, $calls), JSON_THROW_ON_ERROR));
            exit(0);
        }
        fclose($pipe[1]);
        $children[$processId] = $pipe[0];
    }
    $values = [];
    foreach ($children as $processId => $pipe) {
        $values[] = json_decode((string) stream_get_contents($pipe), true);
        pcntl_waitpid($processId, $status);
    }

    return $values;
}

/**
 * @param array<string, mixed> $args
 *
 * @return list<mixed>
 */
function tolerance(array $args): array
{
    return array_key_exists('tolerance_seconds', $args) ? [$args['tolerance_seconds']] : [];
}

/**
 * @param array<string, mixed> $settings
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function secrets(#[\SensitiveParameter] array $settings, #[\SensitiveParameter] array $args): array
{
    // As on a developer's machine. The driver marks its own arguments as sensitive: the client cannot hide those.
    ini_set('zend.exception_ignore_args', '0');
    $log = '';
    $client = client($settings, static function (string $level, string $message, array $context) use (&$log): void {
        $log .= "{$level}: {$message} " . json_encode($context, JSON_UNESCAPED_SLASHES) . "\n";
    });
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

/** @param array<string, mixed> $args */
function verdict(array $args): string
{
    try {
        (new Webhooks())->verify(base64_decode($args['body_base64'], true), $args['header'], $args['secrets']);

        return 'valid';
    } catch (SignatureVerificationException) {
        return 'invalid';
    } catch (BeatMarketException) {
        return 'config_error';
    }
}

function responseOf(object $result): Response
{
    return $result instanceof Model ? $result->response() : $result->response;
}

function value(object $result): mixed
{
    return match (true) {
        $result instanceof SearchPage => [
            'beats' => array_map(wire(...), $result->beats),
            'producers' => array_map(wire(...), $result->producers),
        ] + $result->toArray(),
        $result instanceof Page => ['items' => array_map(wire(...), $result->data)]
            + array_diff_key($result->toArray(), array_flip(['beats', 'producers', 'orders', 'sales', 'uploads'])),
        $result instanceof BeatExport => ['position' => $result->position, 'ids' => array_map(id(...), iterator_to_array($result))],
        $result instanceof SalesExport => ['path' => $result->path],
        $result instanceof Collection => array_map(wire(...), $result->data),
        default => wire($result),
    };
}

function wire(mixed $item): mixed
{
    return $item instanceof Model ? $item->jsonSerialize() : $item;
}

/** The value at a dotted path of the client's properties. */
function reach(mixed $value, string $path): mixed
{
    foreach (explode('.', $path) as $step) {
        $value = match (true) {
            is_array($value) => $value[is_numeric($step) ? (int) $step : $step] ?? null,
            !is_object($value) => null,
            $value instanceof Collection => $value->data[(int) $step],
            $value instanceof Page && $step === 'items' => $value->data, // "items" in the normalized result.
            default => $value->{camelCase($step)},
        };
    }

    return $value;
}

/** @return array<string, mixed> */
function meta(Response $response): array
{
    return [
        'status' => $response->status,
        'request_id' => $response->requestId,
        'etag' => $response->etag,
        'rate_limit' => rateLimit($response->rateLimit),
    ];
}

/** @return array<string, int>|null */
function rateLimit(?RateLimit $rateLimit): ?array
{
    return $rateLimit === null
        ? null
        : ['limit' => $rateLimit->limit, 'remaining' => $rateLimit->remaining, 'reset' => $rateLimit->reset];
}

/** @return array<string, mixed> */
function error(\Throwable $error): array
{
    $is = stems($error);
    if ($is === []) {
        return ['class' => null, 'text' => (string) $error];
    }
    $status = $error instanceof APIStatusException ? $error : null;

    return [
        'class' => $is[0],
        'is' => $is,
        'status' => $status?->status,
        'code' => $status?->errorCode,
        'message' => $status === null ? $error->getMessage() : $status->errorMessage,
        'details' => $status?->details,
        'request_id' => $status?->requestId,
        'retry_after' => $status?->retryAfter,
        'rate_limit' => rateLimit($status?->rateLimit),
        'idempotency_key' => $status?->idempotencyKey ?? ($error instanceof APIConnectionException ? $error->idempotencyKey : null),
        'cause' => $error->getPrevious()?->getMessage(),
        'text' => $error->getMessage(),
    ] + ($error instanceof UploadRejectedException ? ['upload' => $error->upload->toArray()] : []);
}

/**
 * The class names of an exception as all clients share them, from its own class up to BeatMarketError.
 *
 * @return list<string>
 */
function stems(\Throwable $error): array
{
    $names = [$error::class, ...array_values(class_parents($error)), BeatMarketException::class];
    $own = array_filter($names, static fn (string $name): bool => is_a($name, BeatMarketException::class, true));
    $shared = array_filter($own, static fn (string $name): bool => !is_a($name, \InvalidArgumentException::class, true));

    return array_values(array_map(
        static fn (string $name): string => preg_replace(['/^.*\\\\/', '/Exception$/'], ['', 'Error'], $name) ?? '',
        $shared,
    ));
}

function camelCase(string $name): string
{
    return lcfirst(str_replace('_', '', ucwords($name, '_')));
}
