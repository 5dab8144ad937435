// Command idle does nothing, to measure the start of a process.
package main

func main() {}
