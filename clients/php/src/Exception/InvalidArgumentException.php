<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** An invalid setting or argument, such as a missing key or an empty id. Nothing was sent. */
final class InvalidArgumentException extends \InvalidArgumentException implements BeatMarketException
{
}
