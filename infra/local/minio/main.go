// An object store that speaks S3: what the adapter for S3 is tested with.
// It is MinIO's own program, of its Go module; it takes MinIO's arguments and variables.
package main

import (
	"os"

	minio "github.com/minio/minio/cmd"
)

func main() {
	minio.Main(os.Args)
}
