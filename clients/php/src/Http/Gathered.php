<?php

declare(strict_types=1);

namespace BeatMarket\Http;

/**
 * What has come of an answer so far.
 *
 * @internal
 */
final class Gathered
{
    /** @var array<string, string> by lower-case name */
    public array $headers = [];

    public string $body = '';

    /** Whether its request went out over a connection that was kept open. */
    public bool $wasSent = false;
}
