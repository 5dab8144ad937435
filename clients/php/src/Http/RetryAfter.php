<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Response;

/**
 * Reads the header Retry-After.
 *
 * @internal
 */
final class RetryAfter
{
    /**
     * Seconds to wait, rounded up. Null if the header is absent, negative, a date in the past, or neither a number nor
     * an HTTP date.
     *
     * @param int $now Unix seconds
     */
    public static function seconds(Response $response, int $now): ?int
    {
        $value = trim($response->header('retry-after') ?? '');
        if (ctype_digit($value)) {
            return strlen($value) < 10 ? (int) $value : 999_999_999;
        }
        if (preg_match('/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/D', $value) !== 1) {
            return null;
        }
        $date = \DateTimeImmutable::createFromFormat(DATE_RFC7231, $value, new \DateTimeZone('UTC'));

        return $date === false || $date->getTimestamp() <= $now ? null : $date->getTimestamp() - $now;
    }
}
