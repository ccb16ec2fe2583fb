module assay-client-tests

go 1.23

require assay.dev/client v0.0.0

replace assay.dev/client => ../
