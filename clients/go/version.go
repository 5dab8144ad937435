package beatmarket

// Version is the version of this package.
const Version = "0.1.0"
