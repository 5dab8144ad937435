<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

use BeatMarket\RateLimit;
use BeatMarket\Response;

/**
 * An error response, or a response of an unknown form: then the status is 2xx and errorCode is null. getMessage() is
 * one line for people; the properties are the fields of the response.
 */
class APIStatusException extends \RuntimeException implements BeatMarketException
{
    /** How the message begins if the service responded, but not as documented. */
    public const UNKNOWN_FORM = 'The response has an unknown form';

    /** Identifies the call in the service's request log; quote it when you report a problem. Null if absent. */
    public readonly ?string $requestId;

    /** The Idempotency-Key of the request, whether you passed it or the client generated it. Null if the request had none. */
    public readonly ?string $idempotencyKey;

    /** Null if the response has none. */
    public readonly ?RateLimit $rateLimit;

    /** Seconds to wait before the next request; null if the response has none. */
    public readonly ?int $retryAfter;

    /** Such as text/html, without parameters: a proxy may respond in place of the API. Null if absent. */
    public readonly ?string $contentType;

    /** The first 200 characters of the body on one line; empty without a body. */
    public readonly string $excerpt;

    /**
     * @param int         $status       the HTTP status
     * @param string|null $errorCode    one of Value\ErrorCode or a later one; null if the response has none
     * @param string      $errorMessage a short text
     * @param string|null $details      what is wrong and what to do; null if the response has none
     */
    final public function __construct(
        public readonly int $status,
        public readonly ?string $errorCode,
        public readonly string $errorMessage,
        public readonly ?string $details,
        public readonly Response $response,
        ?\Throwable $previous = null,
    ) {
        $this->requestId = $response->requestId;
        $this->idempotencyKey = $response->idempotencyKey;
        $this->rateLimit = $response->rateLimit;
        $this->retryAfter = $response->retryAfter();
        $this->contentType = $response->mediaType();
        $this->excerpt = $response->excerpt();
        $text = implode(' ', array_filter([$status, $errorCode])) . ': ' . implode(': ', array_filter([$errorMessage, $details]));
        parent::__construct($text . ($this->requestId === null ? '' : " (request {$this->requestId})"), $status, $previous);
    }
}
