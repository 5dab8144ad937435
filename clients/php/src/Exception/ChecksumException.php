<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** A file arrived with other bytes than the service lists. What arrived was deleted. */
final class ChecksumException extends \RuntimeException implements BeatMarketException
{
}
