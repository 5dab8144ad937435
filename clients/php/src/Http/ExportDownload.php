<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;

/**
 * Takes an export of the catalogue.
 *
 * @internal
 */
final class ExportDownload extends Download
{
    /** X-Change-Position of the export. */
    public int $position = 0;

    /** @param array<string, string> $headers by lower-case name */
    public function begin(int $status, array $headers): bool
    {
        if (!parent::begin($status, $headers)) {
            return false;
        }
        if (!ctype_digit($headers['x-change-position'] ?? '')) {
            throw new APIConnectionException('The response is no export: it has no X-Change-Position.', isRetryable: false);
        }
        $this->position = (int) $headers['x-change-position'];

        return true;
    }
}
