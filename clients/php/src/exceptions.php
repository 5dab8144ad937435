<?php

declare(strict_types=1);

// phpcs:disable PSR1.Classes.ClassDeclaration.MultipleClasses -- each is a few lines, which a file of its own would double.
// The exceptions with more than a message; the others are generated.

namespace BeatMarket\Exception;

use BeatMarket\Http\Connection;
use BeatMarket\Model\Upload;
use BeatMarket\RateLimit;
use BeatMarket\Response;
use BeatMarket\Secret;
use BeatMarket\Value\ErrorCode;

/** The service cannot use the file of an upload. getMessage() says why, as a sentence. */
final class UploadRejectedException extends \RuntimeException implements BeatMarketException
{
    /** @internal */
    public function __construct(public readonly Upload $upload)
    {
        parent::__construct($upload->rejection ?? 'The file was rejected.');
    }
}

/** No complete response: connection refused or cut off, or invalid certificate. getPrevious() has the cause. */
class APIConnectionException extends \RuntimeException implements BeatMarketException
{
    /** The Idempotency-Key of the request, also if the client made it; null if it had none. */
    public ?string $idempotencyKey = null;

    /**
     * @param bool $isRetryable false if a retry would fail too, for example with an invalid certificate
     */
    public function __construct(
        string $message,
        ?\Throwable $previous = null,
        public readonly bool $isRetryable = true,
    ) {
        parent::__construct($message, 0, $previous);
    }
}

/**
 * An error response, or a response of an unknown form: then the status is 2xx and errorCode is null. getMessage() is one
 * line for people; the properties are the fields of the response.
 */
class APIStatusException extends \RuntimeException implements BeatMarketException
{
    /** How the message begins if the service responded, but not as documented. */
    public const UNKNOWN_FORM = 'The response has an unknown form';

    /** Identifies the call in the service's request log; quote it when you report a problem. Null if absent. */
    public readonly ?string $requestId;

    /** The Idempotency-Key of the request, also if the client made it; null if it had none. */
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

    /**
     * Creates the exception for a response of an unknown form.
     *
     * @internal
     */
    public static function unlike(Response $response, string $message): self
    {
        return new self($response->status, null, $message, null, $response);
    }

    /**
     * Creates the exception for a response, of the class of its status or, for other statuses, of its error code.
     *
     * @internal
     */
    public static function of(Response $response, ?Secret $apiKey): self
    {
        $body = is_array($response->body) ? $response->body : [];
        $error = is_array($body['error'] ?? null) ? $body['error'] : [];
        $code = is_string($error['code'] ?? null) ? $error['code'] : null;
        $isRedirect = $response->status >= 300 && $response->status < 400 && $response->header('location') !== null;
        $message = match (true) {
            is_string($error['message'] ?? null) => $error['message'],
            $isRedirect => 'The response is a redirect, which is not followed: is baseUrl right?',
            $response->status < 300 && Connection::isObject($response->body) => self::UNKNOWN_FORM,
            default => "The response is not the API's: " . ($response->mediaType() ?? 'no content type') . ': ' . ($response->excerpt() ?: 'no body'),
        };
        $details = is_string($error['details'] ?? null) ? $apiKey?->redact($error['details']) ?? $error['details'] : null;
        $class = $response->status >= 500
            ? ServerException::class
            : ErrorCode::EXCEPTIONS_BY_STATUS[$response->status] ?? ErrorCode::EXCEPTIONS[$code ?? ''] ?? self::class;

        return new $class($response->status, $code, $apiKey?->redact($message) ?? $message, $details, $response);
    }
}
