<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Absent;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Generated\Operation;

/** @internal A call of an operation. */
final class Call
{
    public readonly string $operation; // The operationId.
    public readonly string $method;
    public readonly string $path; // Below the base URL.

    /** @var array<string, string> */
    public readonly array $headers;

    /** The fields that are sent; null for a call without a body. */
    public readonly ?object $body;

    /** The time that the service may wait before it responds: the query's `wait`, or the time to create files. */
    public readonly float $waitSeconds;

    /** @var array<string, list<string>> by operation: its id, the method, and the path, split at the names of its ids */
    private static array $parts = [];

    /**
     * @param array<string, int|string> $ids   values of the ids in braces in the path
     * @param array<string, mixed>      $query null values are omitted
     * @param array<string, mixed>|null $body  fields, of which null values are sent and absent ones are not
     */
    public function __construct(
        Operation $operation,
        array $ids = [],
        public readonly array $query = [],
        ?array $body = null,
        ?string $idempotencyKey = null,
        ?string $ifMatch = null,
    ) {
        $parts = self::$parts[$operation->name]
            ??= [$operation->id(), ...preg_split('/ |\{(\w+)\}/', $operation->value, -1, PREG_SPLIT_DELIM_CAPTURE) ?: []];
        $this->operation = $parts[0];
        $this->method = $parts[1];
        $path = $parts[2];
        for ($next = 3; isset($parts[$next]); $next += 2) {
            $id = $ids[$parts[$next]];
            $path .= (is_int($id) ? $id : BaseUrl::segment($parts[$next], $id)) . $parts[$next + 1];
        }
        $this->path = $path;
        if ($idempotencyKey !== null && preg_match('/^[\x21-\x7E]{1,255}$/D', $idempotencyKey) !== 1) {
            throw new InvalidArgumentException('The idempotencyKey must be 1 to 255 visible ASCII characters.');
        }
        if ($ifMatch !== null && preg_match('/^[\x21-\x7E]+$/D', $ifMatch) !== 1) {
            throw new InvalidArgumentException('The ifMatch must be the ETag of a response; null changes the beat unconditionally.');
        }
        $headers = $idempotencyKey === null ? [] : ['Idempotency-Key' => $idempotencyKey];
        $this->headers = $ifMatch === null ? $headers : $headers + ['If-Match' => $ifMatch];
        $this->body = $body === null ? null : (object) array_filter($body, static fn (mixed $value): bool => $value !== Absent::Field);
        $this->waitSeconds = $operation === Operation::ListOrderFiles ? 10 : $query['wait'] ?? 0;
    }
}
