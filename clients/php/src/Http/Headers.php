<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Client;
use BeatMarket\Exception\InvalidArgumentException;

/**
 * The headers of requests, without the key.
 *
 * @internal
 */
final class Headers
{
    public const USER_AGENT = 'beatmarket-php/' . Client::VERSION . ' php/' . PHP_VERSION;

    /**
     * @param array<string, string> $given override the library's
     *
     * @return array<string, string>
     *
     * @throws InvalidArgumentException if one is impossible, or is the key's
     */
    public static function of(string $method, bool $hasBody, array $given, Extras $extras): array
    {
        $own = ['Accept' => 'application/json', 'User-Agent' => $extras->userAgent] + $extras->headers;
        if ($hasBody) {
            $own['Content-Type'] = 'application/json';
        }
        if (in_array($method, ['POST', 'PATCH', 'DELETE'], true)) {
            $own['Idempotency-Key'] = self::uuid(); // Shared by all attempts, so that a retry is safe.
        }

        return $given === [] ? $own : self::merged($own, $given);
    }

    /**
     * @param array<string, string> $own
     * @param array<string, string> $given override own headers
     *
     * @return array<string, string>
     */
    private static function merged(array $own, array $given): array
    {
        self::check($given);
        $names = array_change_key_case($given);
        $isKept = static fn (string $name): bool => !isset($names[strtolower($name)]);

        return array_filter($own, $isKept, ARRAY_FILTER_USE_KEY) + $given;
    }

    /**
     * @param array<string, string> $given
     *
     * @throws InvalidArgumentException if one is impossible, or is the key's
     */
    public static function check(array $given): void
    {
        foreach ($given as $name => $value) {
            $name = (string) $name;
            if (preg_match('/^[!#$%&\'*+.^_`|~0-9A-Za-z-]+$/D', $name) !== 1 || strcasecmp($name, 'Authorization') === 0) {
                throw new InvalidArgumentException('A header has no name, an impossible one, or that of the key.');
            }
            if (!is_string($value) || preg_match('/^[\x21-\x7E]+([ \t]+[\x21-\x7E]+)*$/D', $value) !== 1) {
                throw new InvalidArgumentException("The header {$name} must be visible ASCII characters.");
            }
        }
    }

    private static function uuid(): string
    {
        $hex = bin2hex(random_bytes(16));
        $hex[12] = '4';
        $hex[16] = '89ab'[hexdec($hex[16]) & 3];

        return implode('-', [substr($hex, 0, 8), substr($hex, 8, 4), substr($hex, 12, 4), substr($hex, 16, 4), substr($hex, 20)]);
    }
}
