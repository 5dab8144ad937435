<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\InvalidArgumentException;

/** @internal */
final class Json
{
    public static function encode(mixed $body): string
    {
        try {
            return json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        } catch (\JsonException $error) {
            throw new InvalidArgumentException("The body cannot be written as JSON: {$error->getMessage()}.", 0, $error);
        }
    }

    /** Decodes objects as arrays, but empty objects as stdClass, since an empty array is a list. Null if the text is not JSON. */
    public static function decode(string $json): mixed
    {
        return str_contains($json, '{}') ? self::arrays(json_decode($json)) : json_decode($json, true);
    }

    /** Whether a value is a decoded object. */
    public static function isObject(mixed $value): bool
    {
        return is_array($value) ? !array_is_list($value) : $value instanceof \stdClass;
    }

    private static function arrays(mixed $value): mixed
    {
        $fields = is_object($value) ? (array) $value : $value;

        return !is_array($fields) || (is_object($value) && $fields === []) ? $value : array_map(self::arrays(...), $fields);
    }
}
