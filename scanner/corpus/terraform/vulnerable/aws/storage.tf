resource "aws_s3_bucket" "reports" {
  bucket        = "${local.prefix}-reports"
  force_destroy = true
  tags          = local.common
}
resource "aws_s3_bucket_acl" "reports" {
  bucket = aws_s3_bucket.reports.id
  acl    = "public-read"
}
resource "aws_s3_bucket" "customers" {
  bucket = "${local.prefix}-customers"
  acl    = "private"
  versioning {
    enabled = var.encrypt
  }
}
resource "aws_s3_bucket_public_access_block" "customers" {
  bucket                  = aws_s3_bucket.customers.id
  block_public_acls       = false
  block_public_policy     = true
  restrict_public_buckets = var.encrypt
}
resource "aws_s3_bucket_policy" "reports" {
  bucket = aws_s3_bucket.reports.id
  policy = <<POLICY
{
  "Version": "2012-10-17",
  "Statement": [
    {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "${aws_s3_bucket.reports.arn}/*"}
  ]
}
POLICY
}
resource "aws_s3_bucket_object" "prices" {
  bucket = aws_s3_bucket.customers.id
  key    = "prices.csv"
  source = "prices.csv"
}
resource "aws_ebs_volume" "data" {
  availability_zone = "${var.region}a"
  size              = 20
  encrypted         = var.encrypt
}
resource "aws_ebs_snapshot" "data" {
  volume_id = aws_ebs_volume.data.id
}
resource "aws_efs_file_system" "shared" {
  creation_token = "shared"
}
resource "aws_dynamodb_table" "orders" {
  name         = "orders"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"
  attribute {
    name = "id"
    type = "S"
  }
}
resource "aws_db_instance" "shop" {
  allocated_storage   = 10
  engine              = "mysql"
  instance_class      = "db.t3.micro"
  username            = "root"
  password            = "Sup3rGeheim!"
  publicly_accessible = true
  skip_final_snapshot = true
}
resource "aws_rds_cluster" "ledger" {
  cluster_identifier  = "ledger"
  engine              = "aurora-postgresql"
  master_username     = "root"
  master_password     = var.db_password
  storage_encrypted   = var.encrypt
  skip_final_snapshot = true
}
resource "aws_rds_cluster_instance" "ledger" {
  cluster_identifier  = aws_rds_cluster.ledger.id
  engine              = "aurora-postgresql"
  instance_class      = "db.r5.large"
  publicly_accessible = true
}
resource "aws_rds_cluster" "archive" {
  cluster_identifier      = "archive"
  engine                  = "aurora-mysql"
  storage_encrypted       = true
  backup_retention_period = 1
}
variable "db_password" {
  sensitive = true
}
resource "aws_redshift_cluster" "warehouse" {
  cluster_identifier  = "warehouse"
  node_type           = "dc2.large"
  publicly_accessible = true
}
resource "aws_elasticache_replication_group" "sessions" {
  replication_group_id = "sessions"
  description          = "sessions"
}
resource "aws_elasticache_cluster" "cache" {
  cluster_id      = "cache"
  engine          = "redis"
  node_type       = "cache.t3.micro"
  num_cache_nodes = 1
}
resource "aws_elasticsearch_domain" "logs" {
  domain_name           = "logs"
  elasticsearch_version = "7.10"
  domain_endpoint_options {
    enforce_https       = false
    tls_security_policy = "Policy-Min-TLS-1-0-2019-07"
  }
}
resource "aws_opensearch_domain" "search" {
  domain_name    = "search"
  engine_version = "OpenSearch_2.11"
}
resource "aws_neptune_cluster" "graph" {
  cluster_identifier = "graph"
  engine             = "neptune"
}
resource "aws_neptune_cluster_instance" "graph" {
  cluster_identifier  = aws_neptune_cluster.graph.id
  instance_class      = "db.r5.large"
  publicly_accessible = true
}
resource "aws_docdb_cluster" "documents" {
  cluster_identifier = "documents"
  master_username    = "root"
  master_password    = var.db_password
}
resource "aws_dax_cluster" "fast" {
  cluster_name       = "fast"
  iam_role_arn       = "arn:aws:iam::123456789012:role/dax"
  node_type          = "dax.r4.large"
  replication_factor = 1
}
resource "aws_fsx_windows_file_system" "share" {
  storage_capacity    = 300
  subnet_ids          = [aws_subnet.public[0].id]
  throughput_capacity = 1024
}
