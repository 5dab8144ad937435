<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** No complete answer came: refused, cut off, or not to be trusted. getPrevious() says what happened below. */
class APIConnectionException extends \RuntimeException implements BeatMarketException
{
    /**
     * @param bool $isRetryable false when another try is bound to fail as well, such as with a certificate nobody trusts
     */
    public function __construct(
        string $message,
        ?\Throwable $previous = null,
        public readonly bool $isRetryable = true,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
