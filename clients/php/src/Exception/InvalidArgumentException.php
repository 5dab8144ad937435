<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** An invalid setting or argument, such as a missing key, an empty id or an unreadable file. Nothing was changed. */
final class InvalidArgumentException extends \InvalidArgumentException implements BeatMarketException
{
}
