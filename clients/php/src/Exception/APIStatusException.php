<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

use BeatMarket\Http\RetryAfter;
use BeatMarket\RateLimit;
use BeatMarket\Response;
use BeatMarket\Secret;
use BeatMarket\Value\ErrorCode;

/**
 * An answer that is not a success, or not the success that was expected: then the status is 2xx and errorCode is null.
 * getMessage() is one line for people; the properties are what the service said.
 */
class APIStatusException extends \RuntimeException implements BeatMarketException
{
    /** What each code of the contract is thrown as; any other is an APIStatusException itself. */
    public const CLASSES = [
        ErrorCode::INVALID_REQUEST => InvalidRequestException::class,
        ErrorCode::UNAUTHORIZED => AuthenticationException::class,
        ErrorCode::FORBIDDEN => PermissionDeniedException::class,
        ErrorCode::NOT_FOUND => NotFoundException::class,
        ErrorCode::RATE_LIMIT_EXCEEDED => RateLimitException::class,
        ErrorCode::SERVER_ERROR => ServerException::class,
    ];

    /** The message where the service sent none. */
    public const UNKNOWN_FORM = 'The answer is not of the form this library knows';

    /** Names the call in the service's request log; quote it when you report a problem. Null when absent. */
    public readonly ?string $requestId;

    /** Null when the answer has none. */
    public readonly ?RateLimit $rateLimit;

    /** Whole seconds after which the service wants to be asked again; null when it did not say. */
    public readonly ?int $retryAfter;

    /**
     * @param int         $status       the HTTP status
     * @param string|null $errorCode    one of Value\ErrorCode, or one made later; null when the answer has none
     * @param string      $errorMessage a short text
     * @param string|null $details      what exactly is wrong and what to do; null when the answer has none
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
        $this->rateLimit = $response->rateLimit;
        $this->retryAfter = RetryAfter::seconds($response, time());
        $text = implode(' ', array_filter([$status, $errorCode])) . ': ' . implode(': ', array_filter([$errorMessage, $details]));
        parent::__construct($text . ($this->requestId === null ? '' : " (request {$this->requestId})"), 0, $previous);
    }

    /**
     * What an answer that is no success is thrown as: by its status or, where the contract names none, by its code.
     *
     * @internal
     */
    public static function of(Response $response, Secret $apiKey): self
    {
        $body = is_array($response->body) ? $response->body : [];
        $error = is_array($body['error'] ?? null) ? $body['error'] : [];
        $code = is_string($error['code'] ?? null) ? $error['code'] : null;
        $isRedirect = $response->status >= 300 && $response->status < 400 && $response->header('location') !== null;
        $message = match (true) {
            is_string($error['message'] ?? null) => $error['message'],
            $isRedirect => 'The answer leads elsewhere, where the key is not sent: is baseUrl right?',
            default => self::UNKNOWN_FORM,
        };
        $details = is_string($error['details'] ?? null) ? $apiKey->redact($error['details']) : null;
        $class = match (true) {
            $response->status === 400 => InvalidRequestException::class,
            $response->status === 401 => AuthenticationException::class,
            $response->status === 403 => PermissionDeniedException::class,
            $response->status === 404 => NotFoundException::class,
            $response->status === 429 => RateLimitException::class,
            $response->status >= 500 => ServerException::class,
            default => self::CLASSES[$code ?? ''] ?? self::class,
        };

        return new $class($response->status, $code, $apiKey->redact($message), $details, $response);
    }
}
