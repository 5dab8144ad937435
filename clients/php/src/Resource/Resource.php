<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Http\Connection;

/** A part of the client. Its methods that are one request are generated. */
abstract class Resource
{
    /** @internal */
    final public function __construct(protected readonly Connection $connection)
    {
    }
}
