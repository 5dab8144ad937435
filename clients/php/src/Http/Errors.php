<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\ServerException;
use BeatMarket\Response;
use BeatMarket\Secret;
use BeatMarket\Value\ErrorCode;

/** @internal Makes the exceptions of responses. */
final class Errors
{
    /** Creates the exception of a response, of the class of its status or, for other statuses, of its error code. */
    public static function of(Response $response, ?Secret $apiKey): APIStatusException
    {
        $error = is_array($response->body) ? $response->body['error'] ?? null : null;
        [$code, $message, $details] = array_map(
            static fn (string $name): ?string => is_string($error[$name] ?? null) ? $error[$name] : null,
            ['code', 'message', 'details'],
        );
        $isRedirect = $response->status >= 300 && $response->status < 400 && $response->header('location') !== null;
        $message ??= match (true) {
            $isRedirect => 'The response is a redirect, which is not followed: is baseUrl right?',
            $response->status < 300 && Json::isObject($response->body) => APIStatusException::UNKNOWN_FORM,
            default => "The response is not the API's: " . ($response->mediaType() ?? 'no content type') . ': ' . ($response->excerpt() ?: 'no body'),
        };
        $class = $response->status >= 500
            ? ServerException::class
            : ErrorCode::EXCEPTIONS_BY_STATUS[$response->status] ?? ErrorCode::EXCEPTIONS[$code ?? ''] ?? APIStatusException::class;
        $shown = static fn (?string $text): ?string => $text === null ? null : $apiKey?->redact($text) ?? $text;

        return new $class($response->status, $code, $shown($message), $shown($details), $response);
    }

    /** Creates the exception for a response of an unknown form. */
    public static function unlike(Response $response, string $message): APIStatusException
    {
        return new APIStatusException($response->status, null, $message, null, $response);
    }

    /** Says which field of a response has an unknown form. */
    public static function field(Response $response, string $name, string $kind): APIStatusException
    {
        return self::unlike($response, APIStatusException::UNKNOWN_FORM . ": the field {$name} must be {$kind}");
    }
}
