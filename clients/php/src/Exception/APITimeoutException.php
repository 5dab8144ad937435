<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** The answer had not come, or not wholly, when the time for one try was up. */
final class APITimeoutException extends APIConnectionException
{
}
