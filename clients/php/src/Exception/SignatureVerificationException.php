<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** A webhook request that the service did not sign with any of the given secrets: answer 401 and do nothing else. */
final class SignatureVerificationException extends \RuntimeException implements BeatMarketException
{
}
