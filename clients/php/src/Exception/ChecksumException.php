<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** The bytes of a downloaded file differ from those that the service lists. The file was deleted. */
final class ChecksumException extends \RuntimeException implements BeatMarketException
{
}
