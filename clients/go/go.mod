module assay.dev/client

go 1.23
