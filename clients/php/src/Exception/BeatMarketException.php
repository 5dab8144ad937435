<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** The interface of all exceptions of this library. */
interface BeatMarketException extends \Throwable
{
}
