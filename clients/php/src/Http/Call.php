<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Absent;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\Generated\Operation;

/** @internal A call of an operation. */
final class Call
{
    public readonly string $method;
    public readonly string $path; // Below the base URL.

    /** @var array<string, string> */
    public readonly array $headers;

    /**
     * @param array<string, int|string> $ids   values of the ids in braces in the path
     * @param array<string, mixed>      $query null values are omitted
     * @param array<string, mixed>|null $body  fields, of which null values are sent and absent ones are not
     */
    public function __construct(
        public readonly Operation $operation,
        array $ids = [],
        public readonly array $query = [],
        private readonly ?array $body = null,
        ?string $idempotencyKey = null,
        ?string $ifMatch = null,
    ) {
        [$this->method, $path] = explode(' ', $operation->value);
        foreach ($ids as $name => $id) {
            $path = str_replace('{' . $name . '}', is_int($id) ? (string) $id : BaseUrl::segment($name, $id), $path);
        }
        $this->path = $path;
        if ($idempotencyKey !== null && preg_match('/^[\x21-\x7E]{1,255}$/D', $idempotencyKey) !== 1) {
            throw new InvalidArgumentException('The idempotencyKey must be 1 to 255 visible ASCII characters.');
        }
        if ($ifMatch !== null && preg_match('/^[\x21-\x7E]+$/D', $ifMatch) !== 1) {
            throw new InvalidArgumentException('The ifMatch must be the ETag of a response; an empty one would change whatever is there.');
        }
        $this->headers = array_filter(['Idempotency-Key' => $idempotencyKey, 'If-Match' => $ifMatch], is_string(...));
    }

    /** The fields that are sent; null for a call without a body. */
    public function body(): ?object
    {
        return $this->body === null ? null : (object) array_filter($this->body, static fn (mixed $value): bool => $value !== Absent::Field);
    }

    /** How long the service waits by itself: as the query says, and for files that are being made. */
    public function waitSeconds(): float
    {
        return $this->operation === Operation::ListOrderFiles ? 10 : $this->query['wait'] ?? 0;
    }
}
