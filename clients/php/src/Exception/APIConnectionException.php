<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** No complete response: connection refused or cut off, or invalid certificate. getPrevious() has the cause. */
class APIConnectionException extends \RuntimeException implements BeatMarketException
{
    /** The Idempotency-Key of the request, whether you passed it or the client generated it. Null if the request had none. */
    public ?string $idempotencyKey = null;

    /** @param bool $isRetryable false if a retry would fail too, for example with an invalid certificate */
    public function __construct(
        string $message,
        ?\Throwable $previous = null,
        public readonly bool $isRetryable = true,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
