// A document database that speaks MongoDB's protocol and keeps its data in SQLite files: enough to run the
// contract suites of the MongoDB adapter where no mongod can be installed.
// Writes reach the disk with the next checkpoint, not each by itself: what a power failure takes is a test's data.
// Usage: ferretdb <address to listen on> <folder for the data>
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: ferretdb <address> <folder>")
		os.Exit(2)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: os.Args[1]},
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[2] + "/?_pragma=synchronous(normal)",
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ending, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := server.Run(ending); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
