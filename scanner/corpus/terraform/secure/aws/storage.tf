variable "encrypt" {
  default = true
}
locals {
  key = aws_kms_key.main.arn
}
resource "aws_kms_key" "main" {
  enable_key_rotation = true
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { AWS = "arn:aws:iam::123456789012:root" }, Action = "kms:*", Resource = "*" }]
  })
}
resource "aws_s3_bucket" "reports" {
  for_each = toset(["day", "night"])
  bucket   = "acme-${each.key}"
}
resource "aws_s3_bucket_public_access_block" "reports" {
  for_each                = aws_s3_bucket.reports
  bucket                  = each.value.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}
resource "aws_s3_bucket_versioning" "reports" {
  for_each = aws_s3_bucket.reports
  bucket   = each.value.id
  versioning_configuration {
    status = "Enabled"
  }
}
resource "aws_s3_bucket_logging" "reports" {
  for_each      = aws_s3_bucket.reports
  bucket        = each.value.id
  target_bucket = aws_s3_bucket.logs.id
  target_prefix = each.key
}
resource "aws_s3_bucket" "logs" {
  bucket = "acme-logs"
}
resource "aws_s3_bucket_public_access_block" "logs" {
  bucket                  = aws_s3_bucket.logs.bucket
  block_public_acls       = var.encrypt
  block_public_policy     = var.encrypt
  ignore_public_acls      = var.encrypt
  restrict_public_buckets = var.encrypt
}
resource "aws_s3_bucket_policy" "logs" {
  bucket = aws_s3_bucket.logs.id
  policy = data.aws_iam_policy_document.logs.json
}
data "aws_iam_policy_document" "logs" {
  statement {
    actions   = ["s3:PutObject"]
    resources = ["${aws_s3_bucket.logs.arn}/*"]
    principals {
      type        = "Service"
      identifiers = ["logging.s3.amazonaws.com"]
    }
  }
}
resource "aws_ebs_volume" "data" {
  availability_zone = "eu-west-1a"
  encrypted         = var.encrypt
}
resource "aws_efs_file_system" "shared" {
  encrypted = true
}
resource "aws_dynamodb_table" "orders" {
  name = "orders"
  point_in_time_recovery {
    enabled = true
  }
  server_side_encryption {
    enabled     = true
    kms_key_arn = local.key
  }
}
resource "aws_db_instance" "shop" {
  storage_encrypted               = var.encrypt
  password                        = var.db_password
  deletion_protection             = true
  backup_retention_period         = 7
  enabled_cloudwatch_logs_exports = ["audit"]
}
variable "db_password" {
  sensitive = true
}
resource "aws_db_instance" "replica" {
  replicate_source_db             = aws_db_instance.shop.identifier
  storage_encrypted               = true
  enabled_cloudwatch_logs_exports = ["audit"]
}
resource "aws_rds_cluster" "ledger" {
  storage_encrypted               = true
  manage_master_user_password     = true
  backup_retention_period         = 7
  deletion_protection             = true
  enabled_cloudwatch_logs_exports = ["postgresql"]
}
resource "aws_redshift_cluster" "warehouse" {
  encrypted            = true
  kms_key_id           = local.key
  publicly_accessible  = false
  enhanced_vpc_routing = true
}
resource "aws_elasticache_replication_group" "sessions" {
  at_rest_encryption_enabled = true
  transit_encryption_enabled = true
  auth_token                 = var.db_password
}
resource "aws_elasticache_cluster" "cache" {
  engine                   = "redis"
  snapshot_retention_limit = 5
}
resource "aws_opensearch_domain" "search" {
  domain_endpoint_options {
    enforce_https       = true
    tls_security_policy = "Policy-Min-TLS-1-2-PFS-2023-10"
  }
  encrypt_at_rest {
    enabled = true
  }
  node_to_node_encryption {
    enabled = true
  }
  vpc_options {
    subnet_ids = aws_subnet.private[*].id
  }
  log_publishing_options {
    log_type                 = "AUDIT_LOGS"
    cloudwatch_log_group_arn = aws_cloudwatch_log_group.app.arn
  }
}
resource "aws_neptune_cluster" "graph" {
  storage_encrypted                   = true
  enable_cloudwatch_logs_exports      = ["audit"]
  deletion_protection                 = true
  backup_retention_period             = 7
  iam_database_authentication_enabled = true
}
resource "aws_docdb_cluster" "documents" {
  storage_encrypted               = true
  enabled_cloudwatch_logs_exports = ["audit"]
  deletion_protection             = true
  backup_retention_period         = 7
}
resource "aws_sns_topic" "alerts" {
  kms_master_key_id = "alias/main"
}
module "queue" {
  source  = "./queue"
  encrypt = var.encrypt
}
resource "aws_kinesis_stream" "clicks" {
  encryption_type = "KMS"
  kms_key_id      = local.key
}
resource "aws_kinesis_firehose_delivery_stream" "clicks" {
  server_side_encryption {
    enabled = true
  }
}
resource "aws_msk_cluster" "bus" {
  encryption_info {
    encryption_at_rest_kms_key_arn = local.key
    encryption_in_transit {
      client_broker = "TLS"
      in_cluster    = true
    }
  }
  logging_info {
    broker_logs {
      cloudwatch_logs {
        enabled = true
      }
    }
  }
}
resource "aws_athena_workgroup" "bi" {
  configuration {
    result_configuration {
      encryption_configuration {
        encryption_option = "SSE_KMS"
      }
    }
  }
}
resource "aws_backup_vault" "all" {
  kms_key_arn = local.key
}
