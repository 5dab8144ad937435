<?php

declare(strict_types=1);

namespace BeatMarket\Conformance;

use BeatMarket\Client;
use BeatMarket\DownloadedFile;
use BeatMarket\DownloadProgress;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\SignatureVerificationException;
use BeatMarket\RequestInfo;
use BeatMarket\ResponseInfo;
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
    'createCheckout' => ['checkouts', 'create'],
    'createQuote' => ['quotes', 'create'],
    'askLicense' => ['licenses', 'may'],
    'listLicenseUsage' => ['licenses', 'usage'],
    'reportLicenseUsage' => ['licenses', 'reportUsage'],
    'upgradeLicense' => ['licenses', 'upgrade'],
    'getCheckout' => ['checkouts', 'get'],
    'listFavorites' => ['favorites', 'list'],
    'addFavorite' => ['favorites', 'add'],
    'removeFavorite' => ['favorites', 'remove'],
    'listFollowing' => ['users', 'following'],
    'followUser' => ['users', 'follow'],
    'unfollowUser' => ['users', 'unfollow'],
    'listPlaylists' => ['playlists', 'list'],
    'createPlaylist' => ['playlists', 'create'],
    'getPlaylist' => ['playlists', 'get'],
    'updatePlaylist' => ['playlists', 'update'],
    'deletePlaylist' => ['playlists', 'delete'],
    'addPlaylistBeat' => ['playlists', 'addBeat'],
    'removePlaylistBeat' => ['playlists', 'removeBeat'],
    'listOrderFiles' => ['orders', 'files'],
    'listOrderInvoices' => ['orders', 'invoices'],
    'createSandbox' => ['sandboxes', 'create'],
    'listSandboxes' => ['sandboxes', 'list'],
    'getSandbox' => ['sandboxes', 'get'],
    'deleteSandbox' => ['sandboxes', 'delete'],
    'advanceSandbox' => ['sandboxes', 'advance'],
    'forkSandbox' => ['sandboxes', 'fork'],
    'triggerEvent' => ['events', 'trigger'],
    'downloadOrderArchive' => ['orders', 'archive'],
    'listSales' => ['sales', 'list'],
    'exportSales' => ['sales', 'export'],
    'listChanges' => ['changes', 'list'],
    'exportBeats' => ['exports', 'beats'],
    'listEvents' => ['events', 'list'],
    'listRequests' => ['requests', 'list'],
    'getRequest' => ['requests', 'get'],
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
        'call' => hooked($settings, function (array $hooks) use ($settings, $args): array {
            $client = client($settings, $hooks);
            $options = array_filter([
                'timeout' => $args['options']['timeout_seconds'] ?? null,
                'maxRetries' => $args['options']['max_retries'] ?? null,
                'headers' => $args['options']['headers'] ?? null,
                'query' => $args['options']['query'] ?? null,
                'body' => $args['options']['body'] ?? null,
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
        'request' => hooked($settings, function (array $hooks) use ($settings, $args): array {
            $response = client($settings, $hooks)->request(
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
        'stream_events' => streamEvents(client($settings), $args),
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
        'describe' => describe($args['models']),
        default => throw new Unsupported("action {$action}"),
    };
}

/**
 * @param array<string, mixed>    $settings
 * @param array<string, \Closure> $more
 */
function client(#[\SensitiveParameter] array $settings, array $more = []): Client
{
    $given = array_filter([
        'apiKey' => $settings['api_key'] ?? null,
        'baseUrl' => $settings['base_url'] ?? null,
        'caFile' => $settings['ca_file'] ?? null,
        'timeout' => $settings['timeout_seconds'] ?? null,
        'maxRetries' => $settings['max_retries'] ?? null,
        'maxRetryAfter' => $settings['max_retry_after_seconds'] ?? null,
        'headers' => $settings['headers'] ?? null,
        'userAgentSuffix' => $settings['user_agent_suffix'] ?? null,
        'allowHttp' => $settings['allow_http'] ?? null,
    ] + $more, static fn (mixed $setting): bool => $setting !== null);

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
 * Runs actions with hooks that record their arguments, or fail.
 *
 * @param array<string, mixed>                                          $settings
 * @param \Closure(array<string, \Closure>): array<string, mixed> $run
 *
 * @return array<string, mixed>
 */
function hooked(#[\SensitiveParameter] array $settings, #[\SensitiveParameter] \Closure $run): array
{
    $kind = $settings['hooks'] ?? null;
    if ($kind === null) {
        return attempt(static fn (): array => $run([]));
    }
    $seen = [];
    $noting = static function (string $hook) use ($kind, &$seen): \Closure {
        return static function (RequestInfo $info) use ($kind, $hook, &$seen): void {
            if ($kind === "{$hook} fails") {
                throw new \DomainException('the hook fails');
            }
            $ofResponse = $info instanceof ResponseInfo ? [
                'status' => $info->status,
                'duration_ms' => $info->durationMs,
                'request_id' => $info->requestId,
                'error' => $info->error === null ? null : stems($info->error)[0],
            ] : [];
            $seen[] = [
                'hook' => $hook,
                'method' => $info->method,
                'path' => $info->path,
                'operation' => $info->operation,
                'attempt' => $info->attempt,
                'request_headers' => $info->requestHeaders,
            ] + $ofResponse;
        };
    };
    $result = attempt(static fn (): array => $run(['onRequest' => $noting('request'), 'onResponse' => $noting('response')]));

    return $result + ['hooks' => $seen];
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function upload(Client $client, array $args): array
{
    $progress = [];
    $options = ['progress' => static function (UploadProgress $reached) use (&$progress): void {
        $progress[] = ['upload_id' => $reached->uploadId, 'sent' => $reached->sent, 'bytes' => $reached->bytes];
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
    $note = static function (DownloadProgress $reached) use (&$progress): void {
        $progress[] = (array) $reached;
    };

    return attempt(static fn (): array => ['value' => $run($note)]) + ['progress' => &$progress];
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

function camelCase(string $name): string
{
    return lcfirst(str_replace('_', '', ucwords($name, '_')));
}
