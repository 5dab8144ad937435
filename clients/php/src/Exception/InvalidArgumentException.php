<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** A setting or an argument that cannot work, such as a missing key or an empty id: nothing was sent. */
final class InvalidArgumentException extends \InvalidArgumentException implements BeatMarketException
{
}
