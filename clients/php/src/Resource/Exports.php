<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Calls\ExportsCalls;
use BeatMarket\Http\Connection;

/** All beats in one file. */
final class Exports
{
    use ExportsCalls;

    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }
}
