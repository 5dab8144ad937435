<?php

declare(strict_types=1);

namespace BeatMarket\Delivery;

/**
 * Names of files that no file system refuses, and that stay in their folder.
 *
 * @internal
 */
final class FileName
{
    private const MAX_BYTES = 200;

    /** What Windows or POSIX refuse, control characters, and those that change the direction of writing. */
    private const REFUSED = '~[/\\\\:*?"<>|\x00-\x1F\x7F\x{80}-\x{9F}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}]~u';

    /** Of Windows, whatever the extension. */
    private const DEVICE = '/^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i';

    /** @param string $default if nothing is left of the name */
    public static function safe(string $name, string $default): string
    {
        $safe = trim((string) preg_replace(self::REFUSED, '_', $name), ' .');
        if ($safe === '') {
            return $default;
        }
        if (preg_match(self::DEVICE, $safe) === 1) {
            $safe = "_{$safe}";
        }

        return self::shortened($safe);
    }

    private static function shortened(string $name): string
    {
        if (strlen($name) <= self::MAX_BYTES) {
            return $name;
        }
        $extension = preg_match('/\.[^.]{0,10}$/Du', $name, $match) === 1 ? $match[0] : '';
        $length = self::MAX_BYTES - strlen($extension);
        while ((ord($name[$length]) & 0xC0) === 0x80) { // Within a character.
            --$length;
        }

        return substr($name, 0, $length) . $extension;
    }
}
