<?php

declare(strict_types=1);

namespace BeatMarket\Http;

/**
 * The part of a response received so far.
 *
 * @internal
 */
final class Gathered
{
    /** @var array<string, string> by lower-case name */
    public array $headers = [];

    public ?Download $download = null;

    /** Whether the download takes the body; null until its first byte. */
    public ?bool $isDownloaded = null;

    public string $body = '';

    /** Whether the request was sent over a reused connection. */
    public bool $wasSent = false;
}
