package assay

// Version is the version of this library, and of the API that it was made for.
const Version = "0.1.0"
