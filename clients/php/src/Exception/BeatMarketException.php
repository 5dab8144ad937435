<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** Everything that this library throws. */
interface BeatMarketException extends \Throwable
{
}
