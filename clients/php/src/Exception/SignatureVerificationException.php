<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** A webhook request whose signature matches no secret, or whose time is outside the tolerance. Respond with 401. */
final class SignatureVerificationException extends \RuntimeException implements BeatMarketException
{
}
