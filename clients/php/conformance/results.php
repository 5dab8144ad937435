<?php

declare(strict_types=1);

// The normalized form of results and errors.

namespace BeatMarket\Conformance;

use BeatMarket\BeatExport;
use BeatMarket\Collection;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Exception\UploadRejectedException;
use BeatMarket\Model;
use BeatMarket\Page;
use BeatMarket\Page\SearchPage;
use BeatMarket\RateLimit;
use BeatMarket\Response;
use BeatMarket\SalesExport;

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
        'content_type' => $status?->contentType,
        'excerpt' => $status?->excerpt,
        'rate_limit' => rateLimit($status?->rateLimit),
        'idempotency_key' => $status?->idempotencyKey ?? ($error instanceof APIConnectionException ? $error->idempotencyKey : null),
        'cause' => $error->getPrevious()?->getMessage(),
        'text' => $error->getMessage(),
    ] + ($error instanceof UploadRejectedException ? ['upload' => $error->upload->toArray()] : []);
}

/**
 * The class names of an exception, from its own class up to BeatMarketError, under the names that all clients share.
 *
 * @return list<string>
 */
function stems(\Throwable $error): array
{
    if (!$error instanceof BeatMarketException) {
        return [];
    }
    $names = [$error::class, ...array_values(class_parents($error)), BeatMarketException::class];
    $own = array_filter($names, static fn (string $name): bool => is_a($name, BeatMarketException::class, true));
    $shared = array_filter($own, static fn (string $name): bool => !is_a($name, \InvalidArgumentException::class, true));

    return array_values(array_map(
        static fn (string $name): string => preg_replace(['/^.*\\\\/', '/Exception$/'], ['', 'Error'], $name) ?? '',
        $shared,
    ));
}
