<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** A webhook request whose signature matches none of the secrets. Respond with 401 and ignore the request. */
final class SignatureVerificationException extends \RuntimeException implements BeatMarketException
{
}
